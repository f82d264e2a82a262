// Containers on this machine, seen from outside.
export { commandsInside, isContainerHere, processInside } from './linux/members/containers.js';
