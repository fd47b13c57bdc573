import { hooksFor } from "../../../runtime/contract/kind-hooks.ts";
import type { Event } from "./event.ts";
import { eventCells } from "./event-cells.ts";

export const hooks = hooksFor<Event>({ cells: eventCells });
