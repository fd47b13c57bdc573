/** Name of an object member, and its value as JSON. */
export type JsonMember = readonly [name: string, json: string];
