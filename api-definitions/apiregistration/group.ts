import { group } from "../vocabulary.ts";

/** Parts of the API served by other servers. */
export const apiregistration = group({
  name: "apiregistration.<domain>",
  versions: ["v1", "v1beta1"],
  priority: 20000,
  package: "kube-aggregator/pkg/apis/apiregistration",
  kubernetes: true,
  scheme: "k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:28",
});
