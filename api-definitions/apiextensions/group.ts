import { group } from "../vocabulary.ts";

/** Kinds that users add to the API. */
export const apiextensions = group({
  name: "apiextensions.<domain>",
  versions: ["v1", "v1beta1"],
  priority: 16700,
  package: "apiextensions-apiserver/pkg/apis/apiextensions",
  kubernetes: true,
  scheme: "k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55",
});
