import { connect } from "typeplane/client";
import { manager } from "typeplane/controller";
import { books } from "./books.ts";
import { lendings } from "./lendings.ts";

/** Runs the controllers until the process gets SIGTERM. If several such processes run, only one is active at a time. */
const client = await connect();
await manager({ client, controllers: [books, lendings], leaderElection: { name: "library" } }).run();
