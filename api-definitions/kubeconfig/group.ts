import { group } from "../vocabulary.ts";

/** The file clients find their servers and credentials in. */
export const kubeconfig = group({
  name: "",
  versions: ["v1"],
  package: "client-go/tools/clientcmd/api",
  configuration: true,
});
