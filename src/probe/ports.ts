// Which processes listen on which ports.
export { freePorts, listeningPorts } from './linux/sockets/listening-ports.js';
export { holdersOf, portsByProcess } from './linux/sockets/port-holders.js';
