import { group } from "../vocabulary.ts";

/** Storage classes, CSI drivers and the attachment of volumes to nodes. */
export const storage = group({
  name: "storage.<domain>",
  versions: ["v1", "v1beta1", "v1alpha1"],
  priority: 16800,
  kubernetes: true,
});
