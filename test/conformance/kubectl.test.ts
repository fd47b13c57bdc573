import { access } from "./kubectl/access.ts";
import { applying } from "./kubectl/applying.ts";
import { customizing } from "./kubectl/customizing.ts";
import { deleting } from "./kubectl/deleting.ts";
import { discovering } from "./kubectl/discovering.ts";
import { nodes } from "./kubectl/nodes.ts";
import { reading } from "./kubectl/reading.ts";
import { rollouts } from "./kubectl/rollouts.ts";
import { runThemes } from "./kubectl/run-themes.ts";
import { writing } from "./kubectl/writing.ts";

runThemes({
  title: "kubectl against a server on the embedded store",
  needs: ["kubectl"],
  themes: [discovering, reading, writing, applying, deleting, rollouts, access, nodes, customizing],
});
