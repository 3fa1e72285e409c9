/** NestJS with `@rekog/mcp-nest`: over stdio and over HTTP. */
import "reflect-metadata";
import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { Payload } from "@nestjs/microservices";
import { McpController, McpStrategy, StdioTransport, StreamableHttpTransport, Tool } from "@rekog/mcp-nest";
import * as z from "zod";
import { isHttp, port, runs, schemas } from "../../tools.mjs";

const { add, search, found, none, counted } = schemas(z);

@McpController()
class Tools {
  @Tool({ name: "add", description: "Adds two numbers.", parameters: add })
  add(@Payload() args: { a: number; b: number }) {
    return runs.add(args);
  }

  @Tool({ name: "search", description: "Searches the catalog.", parameters: search, outputSchema: found })
  search(@Payload() args: { query: string }) {
    return runs.search(args);
  }

  @Tool({ name: "document", description: "Returns a document of 64 KiB.", parameters: none })
  document() {
    return runs.document();
  }
}

@McpController()
class Probes {
  @Tool({ name: "fail", description: "Fails.", parameters: none })
  fail() {
    return runs.fail();
  }

  @Tool({ name: "promise", description: "Promises a number.", parameters: none, outputSchema: counted })
  promise() {
    return runs.promise();
  }

  @Tool({ name: "print", description: "Prints.", parameters: none })
  print() {
    return runs.print();
  }
}

@Module({ controllers: [process.env["BENCH_PROBES"] === undefined ? Tools : Probes] })
// oxlint-disable-next-line typescript/no-extraneous-class -- Nest's modules are decorated classes.
class AppModule {}

const strategy = new McpStrategy({
  name: "bench",
  version: "1.0.0",
  transports: [isHttp ? new StreamableHttpTransport() : new StdioTransport()],
});
if (isHttp) {
  const app = await NestFactory.create(AppModule, { logger: false });
  strategy.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy });
  await app.startAllMicroservices();
  await app.listen(port);
} else {
  const app = await NestFactory.createMicroservice(AppModule, { strategy, logger: false });
  await app.listen();
}
