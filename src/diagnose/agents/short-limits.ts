/** The room for an object of any length, closing brackets not counted. */
export const shortBytesMax = 256 * 1024;
/** The room for one text: more than is ever shown. */
export const textBytesMax = 2048;
/** The least room for a text, however little is left: an id stays whole. */
export const textBytesMin = 128;
export const keyBytesMax = 100;
/** The room for a number, true, false or null. */
export const literalBytesMax = 40;
/** With less room than this no member is begun. */
export const memberBytesMin = textBytesMin + keyBytesMax + 28;
/** Deeper nested values are left out. */
export const depthMax = 32;
