import { group } from "../vocabulary.ts";

/** The kinds everything else builds on. */
export const core = group({ name: "", versions: ["v1"], publishesRules: false });
