import { changes } from "./changes.ts";
import { collections } from "./collections.ts";
import { customObjects } from "./custom-objects.ts";
import { bodies } from "./formats.ts";
import { lists } from "./long-lists.ts";
import { patches } from "./patches.ts";
import { reads } from "./reads.ts";
import type { LargeInput } from "./requests.ts";
import { together } from "./together.ts";

/** All inputs in the order in which they are sent. The last ones delete what the others created. */
export function largeInputs(): readonly LargeInput[] {
  return [
    ...bodies(),
    ...changes(),
    ...patches(),
    ...reads(),
    ...lists(),
    ...customObjects(),
    ...together(),
    ...collections(),
  ];
}
