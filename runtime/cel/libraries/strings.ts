import { type Library } from "./library.ts";
export const stringsLibrary = (_v: number): Library => ({ name: "strings", functions: [] });
