import { expect, it } from "vitest";
import { createLimitRanger } from "../../runtime/admission/plugins/limit-ranger.ts";
import { admissionRequest, core, environmentOver, firstObjects, pod } from "./admission-requests.ts";

it("says a message that applies to several containers once, without brackets", async () => {
  const objects = await firstObjects();
  await objects.seed(core("limitranges"), {
    metadata: { name: "l", namespace: "default" },
    spec: { limits: [{ type: "Container", min: { cpu: "100m" } }] },
  });
  const resources = { requests: { cpu: "2m" } };
  const containers = ["a", "b"].map((name) => ({ name, image: "i", resources }));
  const plugin = createLimitRanger(environmentOver(objects));
  await expect(plugin.validate?.(admissionRequest("/pods", pod({ containers })))).rejects.toThrow(
    'pods "p" is forbidden: minimum cpu usage per Container is 100m, but request is 2m',
  );
});
