import { group } from "../vocabulary.ts";

/** What image policy webhooks are asked and answer. */
export const imagepolicy = group({ name: "imagepolicy.<domain>", versions: ["v1alpha1"], kubernetes: true });
