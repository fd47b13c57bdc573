import { EtcdProcess } from "../tools/etcd-process.ts";
import { allThemes } from "./kubectl/all-themes.ts";
import { applying } from "./kubectl/applying.ts";
import { nodes } from "./kubectl/nodes.ts";
import { runThemes } from "./kubectl/run-themes.ts";

/** The themes that depend on the store most. `make kubectl-over-etcd` runs all themes. */
const fewThemes = [applying, nodes] as const;

runThemes({
  title: "kubectl against a server over etcd",
  needs: ["kubectl", "etcd"],
  themes: process.env.THEMES === "all" ? allThemes : fewThemes,
  async prepare() {
    const etcd = await EtcdProcess.start();
    return { flags: [`--etcd-servers=${etcd.endpoint}`], stop: () => etcd.stop() };
  },
});
