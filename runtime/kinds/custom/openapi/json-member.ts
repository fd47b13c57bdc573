/** A member of an object: its name, and its value as JSON. */
export type JsonMember = readonly [name: string, json: string];
