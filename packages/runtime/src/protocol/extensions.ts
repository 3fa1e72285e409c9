/**
 * The extensions for skills and views.
 * @module
 */

/**
 * The extension with which servers announce skills.
 *
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export const SKILLS_EXTENSION = "io.modelcontextprotocol/skills";

/** The beginning of the URIs of skills. */
export const SKILL_SCHEME = "skill://";

/** The end of the URI of each skill. */
export const SKILL_URI_END = "/SKILL.md";

/** The names of skills: up to 64 lowercase letters, digits, and single hyphens between them. */
export const SKILL_NAME = /^(?!.*--)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

/**
 * The MIME type of views.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export const VIEW_MIME_TYPE = "text/html;profile=mcp-app";

/** The extension with which clients announce that they show views. */
export const VIEW_EXTENSION = "io.modelcontextprotocol/ui";
