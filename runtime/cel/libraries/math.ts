import { type Library } from "./library.ts";
export const mathLibrary: Library = { name: "math", functions: [] };
