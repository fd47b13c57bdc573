import { describe, expect, it } from "vitest";
import { hooks as limitRange } from "../../api-definitions/core/v1/limit-range.hooks.ts";
import { hooks as resourceQuota } from "../../api-definitions/core/v1/resource-quota.hooks.ts";
import { shownAs } from "../../api-definitions/go-types.ts";
import type { ApiObject } from "../../runtime/contract/api-object.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { DEFAULT_CONTEXT } from "../fixtures/default-context.ts";
import { problemsOf } from "../hooks/core/run-hooks.ts";
import { schemas } from "../kinds/conversions/converters.ts";

function decode<T>(type: string, object: object): T {
  return schemas.of<ApiObject>(type as TypeRef).decode(object, { given: true }) as unknown as T;
}

const quantity = (value: number, scale: number, text: string, format: string, pointer = "nil") =>
  `resource.Quantity{i:resource.int64Amount{value:${value}, scale:${scale}}, d:resource.infDecAmount{Dec:(*inf.Dec)(${pointer})}, s:"${text}", Format:"${format}"}`;

describe("quantities in messages", () => {
  it.each<[string | number, string]>([
    ["1.5", quantity(15, -1, "", "DecimalSI")],
    [1.5, quantity(15, -1, "", "DecimalSI")],
    ["1500m", quantity(1500, -3, "1500m", "DecimalSI")],
    ["1.50", quantity(150, -2, "", "DecimalSI")],
    ["1e-1", quantity(1, -1, "", "DecimalExponent")],
    ["1500000u", quantity(1500, -3, "", "DecimalSI")],
    ["1.0005", quantity(1001, -3, "", "DecimalSI")],
    ["123456789012345678901e-20", quantity(0, 0, "", "DecimalExponent", "0xc000000000")],
  ])("are printed as they were sent: %j", (pods, shown) => {
    const quota = decode<object>("core/v1.ResourceQuota", { spec: { hard: { pods } } });
    resourceQuota.default?.(quota as never, DEFAULT_CONTEXT);
    expect(problemsOf(resourceQuota, quota)).toEqual([`spec.hard[pods]: Invalid value: ${shown}: must be an integer`]);
  });

  it.each<[string | null, string]>([
    ["0.5", quantity(5, -1, "500m", "DecimalSI")],
    ["0m", quantity(0, -3, "0", "DecimalSI")],
    [null, quantity(0, 0, "0", "")],
  ])("are printed with their text after defaulting printed them once: %j", (cpu, shown) => {
    const limits = [{ type: "Container", min: { cpu: "2k" }, defaultRequest: { cpu } }];
    const range = decode<{ spec: { limits: { defaultRequest: { cpu: string } }[] } }>("core/v1.LimitRange", {
      spec: { limits },
    });
    limitRange.default?.(range as never, DEFAULT_CONTEXT);
    const detail = `min value 2k is greater than default request value ${range.spec.limits[0]?.defaultRequest.cpu}`;
    expect(problemsOf(limitRange, range)).toEqual([
      `spec.limits[0].defaultRequest[cpu]: Invalid value: ${shown}: ${detail}`,
    ]);
  });

  it("are printed inside of other values", () => {
    const { spec } = decode<{ spec: { resources: { limits: object } } }>("core/v1.PersistentVolumeClaim", {
      spec: { resources: { limits: { storage: "1.5" } } },
    });
    expect(shownAs("core.ResourceList", spec.resources.limits).text).toBe(
      `core.ResourceList{"storage":${quantity(15, -1, "", "DecimalSI")}}`,
    );
  });
});
