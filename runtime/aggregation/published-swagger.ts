import { mergeSwagger, type Swagger, selectBelow } from "./merge-openapi.ts";
import { swaggerToV3 } from "./swagger-to-v3.ts";

/** The OpenAPI v2 document of one version of another server. */
export class PublishedSwagger {
  readonly #document: Swagger;

  /** Keeps the part of a document for paths that start with a prefix. */
  constructor(document: Swagger, prefix: string) {
    this.#document = selectBelow(document, prefix);
  }

  mergedInto(document: Swagger, kindKey: string): Swagger {
    return mergeSwagger(document, this.#document, kindKey);
  }

  asV3(): object {
    return swaggerToV3(this.#document);
  }
}
