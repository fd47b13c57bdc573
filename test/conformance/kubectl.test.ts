import { allThemes } from "./kubectl/all-themes.ts";
import { runThemes } from "./kubectl/run-themes.ts";

runThemes({
  title: "kubectl against a server on the embedded store",
  needs: ["kubectl"],
  themes: allThemes,
});
