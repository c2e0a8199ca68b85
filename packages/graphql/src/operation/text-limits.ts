// Measures the text of an operation before it is parsed: the levels of brackets, because parsing, validation and execution
// call themselves for each (security.md row 73), and the lengths of names, because answers repeat them. It knows neither
// the schema nor what brackets and names mean.

import { GraphQLError } from 'graphql'

/** Maximum number of levels of brackets in an operation. JSON may have 64, and an operation has some more around each value. */
const maxLevels = 200
/** Maximum number of characters of a name: an alias of 60,000 would stand in each answer, also in those that report errors. */
const maxName = 200

/** Throws GraphQLError if brackets of any kind are nested too deeply, or a name is too long. */
export function checkSyntax(text: string): void {
  const { levels, name } = measureText(text)
  if (levels > maxLevels)
    throw new GraphQLError(
      `Syntax Error: The operation has ${levels} levels of brackets, and at most ${maxLevels} are allowed`,
    )
  if (name > maxName)
    throw new GraphQLError(
      `Syntax Error: A name of the operation has ${name} characters, and at most ${maxName} are allowed`,
    )
}

/**
 * The levels of brackets and the length of the longest name, outside of strings and comments. The time depends on the
 * length of the text alone.
 */
function measureText(text: string): { readonly levels: number; readonly name: number } {
  let level = 0
  let levels = 0
  let name = 0
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '{':
      case '[':
      case '(':
        if (++level > levels) levels = level
        break
      case '}':
      case ']':
      case ')':
        if (level > 0) level--
        break
      case '#':
        i = endOfLine(text, i)
        break
      case '"':
        i = text.startsWith('"""', i) ? endOfBlock(text, i + 3) : endOfString(text, i + 1)
        break
      default:
        if (isWord(text.charCodeAt(i))) {
          const end = endOfWord(text, i)
          // A number is not a name.
          if (text.charCodeAt(i) > nine && end - i > name) name = end - i
          i = end - 1
        }
    }
  }
  return { levels, name }
}

const nine = '9'.charCodeAt(0)

/** Returns whether a character can stand in a name: letters, digits and "_". */
function isWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= nine) || code === 95
}

function endOfWord(text: string, from: number): number {
  let i = from
  while (i < text.length && isWord(text.charCodeAt(i))) i++
  return i
}

function endOfLine(text: string, from: number): number {
  let i = from
  while (i < text.length && text[i] !== '\n' && text[i] !== '\r') i++
  return i
}

/** The index of the quote at the end; a string without one ends with its line. */
function endOfString(text: string, from: number): number {
  let i = from
  while (i < text.length && text[i] !== '"' && text[i] !== '\n' && text[i] !== '\r') i += text[i] === '\\' ? 2 : 1
  return i
}

/** The index of the last of three quotes that are not escaped. */
function endOfBlock(text: string, from: number): number {
  for (let i = text.indexOf('"""', from); i !== -1; i = text.indexOf('"""', i + 3))
    if (text[i - 1] !== '\\') return i + 2
  return text.length
}
