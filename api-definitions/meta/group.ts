import { group } from "../vocabulary.ts";

/** Types that all kinds share: metadata, lists, options, Status and discovery. */
export const meta = group({
  name: "meta.<domain>",
  versions: ["v1", "v1beta1"],
  package: "apimachinery/pkg/apis/meta",
  kubernetes: true,
});
