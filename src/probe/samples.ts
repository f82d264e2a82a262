// The cheap counters that are read at every tick.
export { FileCensus, type TcpStates, tcpStatesOfTick } from './linux/sample/file-census.js';
export { Sampler } from './linux/sample/sampler.js';
