export {
  createTaskSessionFromClient,
  resultFromTaskOutcome,
  type ApplicationInputHandler,
  type TaskEnabledSession,
} from "@modelcontextprotocol/ext-tasks/client";
