import { EtcdProcess } from "../tools/etcd-process.ts";
import { applying } from "./kubectl/applying.ts";
import { customizing } from "./kubectl/customizing.ts";
import { deleting } from "./kubectl/deleting.ts";
import { reading } from "./kubectl/reading.ts";
import { runThemes } from "./kubectl/run-themes.ts";

runThemes({
  title: "kubectl against a server over etcd",
  needs: ["kubectl", "etcd"],
  // What depends on the store: lists in pages, watches, compare-and-set, finalizers, custom kinds.
  themes: [reading, applying, deleting, customizing],
  async prepare() {
    const etcd = await EtcdProcess.start();
    return { flags: [`--etcd-servers=${etcd.endpoint}`], stop: () => etcd.stop() };
  },
});
