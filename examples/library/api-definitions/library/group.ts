import { group } from "typeplane/vocabulary";

/** Books of a library, and who borrowed them. */
export const library = group({ name: "library.<domain>", versions: ["v1"] });
