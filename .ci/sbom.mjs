/**
 * `npm run sbom` writes the software bill of materials of each package to `dist/sbom.cdx.json`, in the format CycloneDX 1.5. It
 * also runs before a package is packed, and the file is published with the package.
 *
 * @see https://cyclonedx.org/docs/1.5/json/
 * @module
 */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { lockedPackages, PUBLISHED, WORKSPACE } from "./locked-packages.mjs";

/** @import { LockedPackage } from "./locked-packages.mjs" */

/** Returns a package's bill of materials, which depends on the lock file only. @param {string} folder One of `PUBLISHED`. */
export function billOfMaterials(folder) {
  const packages = lockedPackages(folder);
  const [main, ...others] = [...packages.values()];
  if (main === undefined) throw new Error(`There is no package in ${folder}.`);
  const toRef = (/** @type {string} */ path) => purl(/** @type {LockedPackage} */ (packages.get(path)));
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: component(main) },
    components: others.map(component),
    dependencies: Array.from(packages.values(), (each) => ({
      ref: purl(each),
      dependsOn: each.dependencies.map(toRef),
    })),
  };
}

/** @param {LockedPackage} given */
function component(given) {
  const { name, version, license, integrity, isOptional } = given;
  const [algorithm, digest] = integrity?.split("-") ?? [];
  const [group, ownName] = name.startsWith("@") ? name.split("/") : [undefined, name];
  return {
    type: "library",
    "bom-ref": purl(given),
    ...(group !== undefined && { group }),
    name: ownName,
    version,
    scope: isOptional ? "optional" : "required",
    purl: purl(given),
    ...(algorithm === "sha512" &&
      digest !== undefined && {
        hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
      }),
    ...(license !== undefined && {
      licenses: [/^[\w.-]+$/.test(license) ? { license: { id: license } } : { expression: license }],
    }),
  };
}

/** @param {LockedPackage} given */
function purl({ name, version }) {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const given = process.argv
    .slice(2)
    .map((folder) => relative(WORKSPACE, resolve(folder)).replaceAll("\\", "/"));
  for (const folder of given.length > 0 ? given : PUBLISHED) {
    const target = join(WORKSPACE, folder, "dist");
    mkdirSync(target, { recursive: true });
    writeFileSync(join(target, "sbom.cdx.json"), `${JSON.stringify(billOfMaterials(folder), null, 2)}\n`);
  }
}
