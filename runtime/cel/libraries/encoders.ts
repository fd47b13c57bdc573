import { type Library } from "./library.ts";
export const encodersLibrary: Library = { name: "encoders", functions: [] };
