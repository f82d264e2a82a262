// Which processes listen on which ports.
export { freePorts, holdersOf, listeningPorts, portsByProcess } from './linux/sockets/listening-ports.js';
