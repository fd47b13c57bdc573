import { describe, expect, it } from "vitest";
import { shownClaimSpec, shownTemplateSpec } from "../../../api-definitions/resource/v1beta1/claim-text.ts";
import type { ResourceClaimTemplate } from "../../../api-definitions/resource/v1beta1/resource-claim-template.ts";
import type { ApiObject } from "../../../runtime/contract/api-object.ts";
import type { TypeRef } from "../../../runtime/contract/type-table.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { converterOf, schemas } from "./converters.ts";

function given(type: string, object: object): ApiObject {
  return schemas.of<ApiObject>(type as TypeRef).decode(object, { given: true });
}

describe("empty lists in a converted object", () => {
  it("are known after conversion, in both directions", async () => {
    const { toHub, fromHub } = await converterOf("resource/v1beta2.ResourceClaimTemplate");
    const template = given("resource/v1beta2.ResourceClaimTemplate", {
      spec: { metadata: { labels: {} }, spec: { devices: { requests: [], constraints: [] } } },
    });
    const stored = toHub(template) as unknown as ResourceClaimTemplate;
    const { text } = shownTemplateSpec(stored.spec);
    expect(text).toContain("Labels:map[string]string{}");
    expect(text).toContain("Requests:[]resource.DeviceRequest{}, Constraints:[]resource.DeviceConstraint{}, ");
    const back = fromHub(stored as unknown as ApiObject) as unknown as {
      spec: { spec: { devices: { requests?: object[] } } };
    };
    expect(asGiven(back.spec.spec.devices, "requests")).toEqual([]);
  });

  it("are distinguished from absent lists in resource claims", () => {
    const spec = { devices: { requests: [{ name: "r", deviceClassName: "", count: 1 }] } };
    expect(shownClaimSpec(spec as never).text).toContain("Exactly:(*resource.ExactDeviceRequest)(0xc000000000)");
    const bare = { devices: { requests: [{ name: "r", deviceClassName: "" }] } };
    expect(shownClaimSpec(bare as never).text).toContain("Exactly:(*resource.ExactDeviceRequest)(nil)");
  });
});
