import { double, type Fields, flag, integer, message, named, type Shape, struct, text, texts } from "./message.ts";

/* Shapes that version 2 and version 3 have in common. */

/** The constraints of a schema, with field numbers from `first` on. */
export function limits(first: number): Fields {
  return {
    maximum: [first, double],
    exclusiveMaximum: [first + 1, flag],
    minimum: [first + 2, double],
    exclusiveMinimum: [first + 3, flag],
    maxLength: [first + 4, integer],
    minLength: [first + 5, integer],
    pattern: [first + 6, text],
    maxItems: [first + 7, integer],
    minItems: [first + 8, integer],
    uniqueItems: [first + 9, flag],
  };
}

export const externalDocs: Shape = struct({ description: [1, text], url: [2, text] }, 3);

const stringArray: Shape = (value) => texts(1, value);
/** A security requirement: names of security schemes, each with its scopes. */
export const requirement: Shape = (value) => named(message(() => stringArray))(1, value);
