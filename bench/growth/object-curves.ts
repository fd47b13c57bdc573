import type { Curve } from "./curve.ts";
import { GrowingServer } from "./growing-server.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const OTHER_MAPS = "/api/v1/namespaces/kube-public/configmaps";
/** Number of objects that the selector matches, independent of the total. */
const SELECTED = 10;

const map = (name: string, data: object, labels?: object) => ({ metadata: { name, ...(labels && { labels }) }, data });

export function growWithObjects(): Promise<Curve> {
  return GrowingServer.run((server) => {
    const get = (path: string) => server.client.send({ path });
    const create = (index: number) =>
      server.post(
        MAPS,
        map(
          `map-${index}`,
          { value: "x".repeat(200) },
          { rare: index % 100 === 0 && index < 100 * SELECTED ? "yes" : "no" },
        ),
      );
    return server.curve(
      { id: "objects", title: "Number of objects of a kind", counted: "ConfigMaps" },
      [1_000, 4_000, 16_000],
      async (from, to) => {
        if (from === 0) await server.each(0, SELECTED, (index) => server.post(OTHER_MAPS, map(`other-${index}`, {})));
        await server.each(from, to, create);
      },
      [
        { name: "get", exponent: 0, count: 200, work: (index) => get(`${MAPS}/map-${index % 1_000}`) },
        { name: "create", exponent: 0, count: 100, work: (index) => server.post(MAPS, map(`new-${index}`, {})) },
        {
          name: "update",
          exponent: 0,
          count: 100,
          work: (index) => server.mergePatch(`${MAPS}/map-${index % 1_000}`, { data: { changed: String(index) } }),
        },
        { name: "list a page of 100", exponent: 0, count: 40, work: () => get(`${MAPS}?limit=100`) },
        { name: "list 10 by label", exponent: 0, count: 40, work: () => get(`${MAPS}?labelSelector=rare%3Dyes`) },
        { name: "list another namespace", exponent: 0, count: 40, work: () => get(OTHER_MAPS) },
        { name: "list all", exponent: 1, count: 2, inFlight: 1, work: () => get(MAPS) },
      ],
    );
  });
}

export function growWithSize(): Promise<Curve> {
  return GrowingServer.run((server) => {
    const textOf = (kilobytes: number) => "0123456789abcdef".repeat(kilobytes * 64);
    const name = (x: number) => `size-${x}`;
    return server.curve(
      { id: "size", title: "Size of an object", counted: "KB" },
      [2, 16, 128, 512],
      (_, to) => server.post(MAPS, map(name(to), { value: textOf(to) })),
      [
        { name: "get", exponent: 1, count: 50, work: (_, x) => server.client.send({ path: `${MAPS}/${name(x)}` }) },
        {
          name: "create",
          exponent: 1,
          count: 20,
          work: (index, x) => server.post(MAPS, map(`new-${index}`, { value: textOf(x) })),
        },
        {
          name: "merge patch",
          exponent: 1,
          count: 20,
          inFlight: 1,
          work: (index, x) => server.mergePatch(`${MAPS}/${name(x)}`, { data: { changed: String(index) } }),
        },
        {
          name: "apply",
          exponent: 1,
          count: 20,
          inFlight: 1,
          work: (index, x) =>
            server.apply(`${MAPS}/applied-${x}`, "bench", {
              apiVersion: "v1",
              kind: "ConfigMap",
              ...map(`applied-${x}`, { value: textOf(x), changed: String(index) }),
            }),
        },
      ],
    );
  });
}

/** Each manager owns one field; the first manager changes its field. */
export function growWithManagers(): Promise<Curve> {
  return GrowingServer.run((server) => {
    const applied = (manager: number, value: number) =>
      server.apply(`${MAPS}/shared`, `manager-${manager}`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        ...map("shared", { [`field-${manager}`]: String(value) }),
      });
    return server.curve(
      { id: "managers", title: "Number of field managers of an object", counted: "managers" },
      [4, 16, 64, 256],
      (from, to) => server.each(from, to, (manager) => applied(manager, 0), 1),
      [
        { name: "apply", exponent: 1, count: 50, inFlight: 1, work: (index) => applied(0, index + 1) },
        {
          name: "merge patch",
          exponent: 1,
          count: 50,
          inFlight: 1,
          work: (index) =>
            server.mergePatch(`${MAPS}/shared?fieldManager=manager-1`, { data: { "field-1": String(index) } }),
        },
        { name: "get", exponent: 1, count: 100, work: () => server.client.send({ path: `${MAPS}/shared` }) },
      ],
    );
  });
}
