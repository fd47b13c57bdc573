import { access } from "./access.ts";
import { applying } from "./applying.ts";
import { customizing } from "./customizing.ts";
import { deleting } from "./deleting.ts";
import { discovering } from "./discovering.ts";
import { nodes } from "./nodes.ts";
import { reading } from "./reading.ts";
import { rollouts } from "./rollouts.ts";
import { writing } from "./writing.ts";

/** All kubectl themes, independent of the server's store. */
export const allThemes = [
  discovering,
  reading,
  writing,
  applying,
  deleting,
  rollouts,
  access,
  nodes,
  customizing,
] as const;
