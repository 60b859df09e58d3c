// A list of parts (SBOM, CycloneDX 1.6) for each published package: the versions that npm installs with it on the day of the release, peers among them, with their
// licences. Made of the package as the registry hands it out, and of a lock file, so that nothing is installed for it.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inPairs, runIn } from './command.mjs'

const program = join(import.meta.dirname, 'node_modules/@cyclonedx/cyclonedx-npm/bin/cyclonedx-npm-cli.js')
/** @see https://cyclonedx.org/docs/1.6/json (read 2026-11-27) */
const SPEC = '1.6'

/** Licences of packages whose manifests name none, by their own licence files (read 2026-11-28). */
const CONCLUDED = { 'eyes@0.1.8': 'MIT', 'text-encoding-utf-8@1.0.2': 'Unlicense' }

/**
 * @param releases what the registry has, as `releaseInto` gives it
 * @param env variables that name the registry
 * @param folder work is done in it
 * @param output folder of the lists, `<package>.cdx.json` each
 * @returns how many parts each has, by package
 * @throws when a package brings no changelog of its version; when a list is of another package, lacks one of its dependencies, or has a part without a licence
 */
export async function listParts(releases, env, folder, output) {
  await rm(output, { recursive: true, force: true })
  await mkdir(output, { recursive: true })
  const lists = await inPairs(releases, (release) => listOf(release, env, folder, output))
  return new Map(lists)
}

async function listOf({ name, version }, env, folder, output) {
  const flat = name.replace('@', '').replace('/', '-')
  const home = join(folder, flat)
  await mkdir(home, { recursive: true })
  const [tarball] = JSON.parse(await runIn(home, env, 'npm', 'pack', '--json', `${name}@${version}`)).map(({ filename }) => filename)
  await runIn(home, {}, 'tar', '-xzf', tarball, '--strip-components=1')
  await rm(join(home, tarball))
  const changelog = await readFile(join(home, 'CHANGELOG.md'), 'utf8').catch(() => '')
  if (!changelog.includes(`## ${version}`)) throw new Error(`${name}: the CHANGELOG.md that it brings has nothing of ${version}`)
  // What it was built and tested with is installed by nobody.
  const { devDependencies: _, ...manifest } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  await writeFile(join(home, 'package.json'), JSON.stringify(manifest))
  await runIn(home, env, 'npm', 'install', '--package-lock-only', '--ignore-scripts', '--loglevel=error')
  const file = join(output, `${flat}-${version}.cdx.json`)
  const options = [
    '--package-lock-only',
    '--omit',
    'dev',
    '--mc-type',
    'library',
    '--output-reproducible',
    '--validate',
    '--spec-version',
    SPEC,
  ]
  await runIn(home, env, process.execPath, program, ...options, '--output-file', file)
  const list = JSON.parse(await readFile(file, 'utf8'))
  for (const component of list.components ?? []) {
    const id = CONCLUDED[`${component.name}@${component.version}`]
    if (id !== undefined && !component.licenses?.length) component.licenses = [{ license: { id, acknowledgement: 'concluded' } }]
  }
  await writeFile(file, `${JSON.stringify(list, null, 2)}\n`)
  return [name, judged(list, { name, version, manifest })]
}

/** Holds a list against the package that it is of. @returns how many parts it has */
function judged({ specVersion, metadata: { component }, components = [] }, { name, version, manifest }) {
  const full = ({ group, name }) => (group ? `${group}/${name}` : name)
  const fault = (sentence) => new Error(`the list of parts of ${name}: ${sentence}`)
  if (specVersion !== SPEC || full(component) !== name || component.version !== version)
    throw fault(`it is of ${full(component)} ${component.version}`)
  const names = new Set(components.map(full))
  // A bundled package has its parts within it, and an alias its own name.
  const missing = Object.entries({ ...manifest.dependencies }).filter(([each, range]) => !range.startsWith('npm:') && !names.has(each))
  if (missing.length > 0) throw fault(`it lacks ${missing.map(([each]) => each).join(', ')}`)
  const unlicensed = components.filter(({ licenses }) => !licenses?.length)
  if (unlicensed.length > 0) throw fault(`without a licence are ${unlicensed.map(full).join(', ')}`)
  const private_ = components.filter((each) => full(each) === '@svc/testing')
  if (private_.length > 0) throw fault('it names @svc/testing, which is private')
  return components.length
}
