import { EtcdProcess } from "../tools/etcd-process.ts";
import { allThemes } from "./kubectl/all-themes.ts";
import { runThemes } from "./kubectl/run-themes.ts";

runThemes({
  title: "kubectl against a server over etcd",
  needs: ["kubectl", "etcd"],
  themes: allThemes,
  async prepare() {
    const etcd = await EtcdProcess.start();
    return { flags: [`--etcd-servers=${etcd.endpoint}`], stop: () => etcd.stop() };
  },
});
