// Which processes listen on which ports, and which user has a connection.
export { connectionOwner } from './linux/sockets/connection-owner.js';
export { freePorts, holdersOf, listeningPorts, portsByProcess } from './linux/sockets/listening-ports.js';
