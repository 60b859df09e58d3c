import { discover } from '../src/index.ts'

/** Loads one plugin within a time: arguments are its name, the file that it is found from, and milliseconds. */
const [name = '', place = '', ms = ''] = process.argv.slice(2)
await discover({ plugins: { [name]: { networks: {} } } }, [place], Number(ms)).then(
  () => console.log('loaded'),
  (error: Error) => console.log(`${error.name}: ${error.message}`),
)
