import { group } from "../vocabulary.ts";

/** What all kinds have in common. */
export const meta = group({
  name: "meta.<domain>",
  versions: ["v1", "v1beta1"],
  package: "apimachinery/pkg/apis/meta",
  kubernetes: true,
});
