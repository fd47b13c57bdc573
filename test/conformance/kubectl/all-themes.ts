import { access } from "./access.ts";
import { applying } from "./applying.ts";
import { customizing } from "./customizing.ts";
import { deleting } from "./deleting.ts";
import { discovering } from "./discovering.ts";
import { nodes } from "./nodes.ts";
import { reading } from "./reading.ts";
import { rollouts } from "./rollouts.ts";
import { writing } from "./writing.ts";

/** Everything that kubectl is driven through, whatever the server keeps its objects in. */
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
