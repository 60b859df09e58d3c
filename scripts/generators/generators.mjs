import { copyFileSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { kept, must } from './tools.mjs'

/** Packages of TypeScript's generator, which `pnpm api` has too, and which the command installs before. */
const API = fileURLToPath(new URL('../api/node_modules', import.meta.url))
const ARTIFACT = 'org.openapitools:openapi-generator-cli:7.25.0'
/** Nothing but the client: what the generator makes besides, its tests and pages, is not called. */
const CLIENT = 'models,apis,supportingFiles,modelDocs=false,apiDocs=false,modelTests=false,apiTests=false'
/** Calls with the first compiler of the JVM alone: the second one costs more than a program of seconds gets back. */
const BRIEF = '-XX:TieredStopAtLevel=1'
/** Environment of Go: what the machine has done for a file of the same content is not done again, wherever that lies. */
const GO = { GOFLAGS: '-trimpath -mod=readonly' }

/** The generator of Java, Go and Python that is written in Java. */
async function openapiGenerator() {
  const folder = await kept('openapi-generator', ARTIFACT, (unfinished) => {
    must('mvn', ['-q', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${unfinished}`])
    const [name] = readdirSync(unfinished)
    renameSync(join(unfinished, name), join(unfinished, 'generator.jar'))
  })
  const jar = join(folder, 'generator.jar')
  return (...args) => must('java', [BRIEF, '-jar', jar, 'generate', '--global-property', CLIENT, ...args])
}

/** A Python of its own with packages of these versions. */
async function python(name, source) {
  const pins = join(source, 'requirements.txt')
  const folder = await kept(name, await readFile(pins, 'utf8'), (unfinished) => {
    // What is beside the interpreter is never started by its own name: its first line would name the folder of before.
    must('python3', ['-m', 'venv', unfinished])
    must(join(unfinished, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps', '-r', pins])
  })
  return join(folder, 'bin/python')
}

/** Each generator by its name, which is that of the folder with the program that calls its client. */
export const generators = {
  java: {
    needs: ['java', 'javac', 'mvn'],
    async tools(source) {
      const pom = join(source, 'pom.xml')
      const libraries = await kept('java', await readFile(pom, 'utf8'), (unfinished) => {
        must('mvn', ['-q', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${unfinished}`])
      })
      return { generator: await openapiGenerator(), libraries }
    },
    generate({ work, document, tools }) {
      const properties = 'hideGenerationTimestamp=true,openApiNullable=false'
      tools.generator('-g', 'java', '--library', 'native', '-p', properties, '-i', document, '-o', join(work, 'client'))
    },
    compile({ work, tools }) {
      const files = readdirSync(join(work, 'client/src/main/java'), { recursive: true }).filter((name) => name.endsWith('.java'))
      const sources = files.map((name) => join(work, 'client/src/main/java', name))
      must('javac', ['-nowarn', '-d', join(work, 'classes'), '-cp', join(tools.libraries, '*'), ...sources, join(work, 'Call.java')])
    },
    call: ({ work, env, tools }) =>
      must('java', [BRIEF, '-cp', [join(work, 'classes'), join(tools.libraries, '*')].join(delimiter), 'Call'], { env }),
  },
  go: {
    needs: ['java', 'mvn', 'go'],
    tools: async () => ({ generator: await openapiGenerator() }),
    generate({ work, document, tools }) {
      tools.generator('-g', 'go', '--package-name', 'svc', '-p', 'withGoMod=false', '-i', document, '-o', join(work, 'svc'))
    },
    compile: ({ work }) => must('go', ['build', '-o', 'call', '.'], { cwd: work, env: GO }),
    call: ({ work, env }) => must(join(work, 'call'), [], { env }),
  },
  python: {
    needs: ['java', 'mvn', 'python3'],
    tools: async (source) => ({ generator: await openapiGenerator(), python: await python('python', source) }),
    generate({ work, document, tools }) {
      tools.generator('-g', 'python', '--package-name', 'svc', '-i', document, '-o', join(work, 'client'))
    },
    compile: ({ work, tools }) => must(tools.python, ['-m', 'compileall', '-q', '.'], { cwd: work }),
    call: ({ work, env, tools }) => must(tools.python, ['call.py'], { cwd: work, env: { ...env, PYTHONPATH: join(work, 'client') } }),
  },
  'oapi-codegen': {
    needs: ['go'],
    tools(source) {
      must('go', ['mod', 'download'], { cwd: source, env: GO })
      return {}
    },
    generate({ work, document }) {
      mkdirSync(join(work, 'oapi'))
      const args = ['tool', 'oapi-codegen', '-generate', 'types,client,skip-prune', '-package', 'oapi', '-o', 'oapi/oapi.go', document]
      must('go', args, { cwd: work, env: GO })
    },
    compile: ({ work }) => must('go', ['build', '-o', 'call', '.'], { cwd: work, env: GO }),
    call: ({ work, env }) => must(join(work, 'call'), [], { env }),
  },
  'openapi-python-client': {
    needs: ['python3'],
    tools: async (source) => ({ python: await python('openapi-python-client', source) }),
    generate({ work, document, tools }) {
      const args = ['--path', document, '--output-path', join(work, 'svc'), '--meta', 'none']
      must(tools.python, ['-m', 'openapi_python_client', 'generate', ...args], { cwd: work })
    },
    compile: ({ work, tools }) => must(tools.python, ['-m', 'compileall', '-q', '.'], { cwd: work }),
    call: ({ work, env, tools }) => must(tools.python, ['call.py'], { cwd: work, env }),
  },
  typescript: {
    needs: [],
    tools: () => ({}),
    generate({ work, document }) {
      symlinkSync(API, join(work, 'node_modules'))
      must(process.execPath, [join(API, 'openapi-typescript/bin/cli.js'), document, '-o', join(work, 'svc.d.ts')])
    },
    compile: ({ work }) => must(process.execPath, [join(API, 'typescript/bin/tsc'), '-p', work]),
    call: ({ work, env }) => must(process.execPath, [join(work, 'call.mts')], { env }),
  },
  rust: {
    // The first build, of its 227 crates, takes minutes.
    isByName: true,
    needs: ['cargo'],
    async tools(source) {
      return { built: await kept('rust', await readFile(join(source, 'Cargo.lock'), 'utf8'), () => {}) }
    },
    // Its macro makes the client while it is compiled.
    generate: ({ work, document }) => copyFileSync(document, join(work, 'text.json')),
    compile: ({ work, tools }) => must('cargo', ['build', '--quiet', '--locked'], { cwd: work, env: { CARGO_TARGET_DIR: tools.built } }),
    call: ({ env, tools }) => must(join(tools.built, 'debug/call'), [], { env }),
  },
}
