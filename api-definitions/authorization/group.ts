import { group } from "../vocabulary.ts";

/** Checks of the permissions of users. */
export const authorization = group({
  name: "authorization.<domain>",
  versions: ["v1", "v1beta1"],
  priority: 17600,
  kubernetes: true,
});
