import { describe, expect, it } from "vitest";
import { GO_TYPES, shownAs } from "../../api-definitions/go-types.ts";
import { GoTypes } from "../../runtime/go/types.ts";
import { goValueText, readGoValue } from "../../runtime/go/value.ts";

const types = new GoTypes({
  zoo: {
    Animal:
      "Name string; Kind Species; FSType string; Legs *int32; Keeper; Diet []Food; Tags map[string]string; Den Den; Nest *Den!",
    Keeper: "UID types.UID; Since v1.Time; Until *v1.Time",
    Food: "Amount resource.Quantity; At intstr.IntOrString when",
    Den: "Open bool ^isOpen; Size int64",
    Species: "= string",
  },
});
const show = (json: unknown) => goValueText(readGoValue(types.find("zoo.Animal"), json));

describe("values as Go prints them", () => {
  it("have every field, set or not", () => {
    expect(show({})).toBe(
      'zoo.Animal{Name:"", Kind:"", FSType:"", Legs:(*int32)(nil), Keeper:zoo.Keeper{UID:"", Since:time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC), Until:<nil>}, Diet:[]zoo.Food(nil), Tags:map[string]string(nil), Den:zoo.Den{Open:false, Size:0}, Nest:(*zoo.Den)(0xc000000000)}',
    );
  });

  it("are found by their JSON keys, embedded fields included", () => {
    const animal = {
      name: "Rex",
      fsType: "x",
      legs: 4,
      since: "2030-01-02T03:04:05Z",
      diet: [{ amount: "1500m", when: 8 }],
      tags: { b: "2", a: "1" },
    };
    expect(show(animal)).toBe(
      'zoo.Animal{Name:"Rex", Kind:"", FSType:"x", Legs:(*int32)(0xc000000000), Keeper:zoo.Keeper{UID:"", Since:time.Date(2030, time.January, 2, 3, 4, 5, 0, time.Local), Until:<nil>}, Diet:[]zoo.Food{zoo.Food{Amount:resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1500m", Format:"DecimalSI"}, At:intstr.IntOrString{Type:0, IntVal:8, StrVal:""}}}, Tags:map[string]string{"a":"1", "b":"2"}, Den:zoo.Den{Open:false, Size:0}, Nest:(*zoo.Den)(0xc000000000)}',
    );
  });

  it("may be derived from the enclosing object", () => {
    expect(show({ isOpen: true })).toContain("Den:zoo.Den{Open:true, Size:0}");
  });

  it("have types that are in a table", () => {
    expect(() => types.find("zoo.Plant")).toThrow("no table has the Go type zoo.Plant");
    for (const name of GO_TYPES.names()) expect(shownAs(name, undefined).text).not.toBe("");
  });
});
