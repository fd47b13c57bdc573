import { group } from "../vocabulary.ts";

/** What admission webhooks are asked and answer. */
export const admission = group({ name: "admission.<domain>", versions: ["v1", "v1beta1"], kubernetes: true });
