import { createNodeHandler } from "@tenon/runtime/node";
import express from "express";
import { server } from "../server.js";

export const app = express();
app.use(createNodeHandler(server));
