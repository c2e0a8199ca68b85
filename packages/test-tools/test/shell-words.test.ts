import t from 'tap'
import { commandsIn } from '../src/shell-words.ts'

const wordsOf = (text: string) => commandsIn(text).map(({ words }) => words)

t.test('words', t => {
  t.same(wordsOf('a \'b c\' "d $E \\"f\\"" g\\ h \'i\'"j"'), [['a', 'b c', 'd $E "f"', 'g h', 'ij']])
  t.same(wordsOf('a \\\n  b\nc; d && e | f & g || h'), [['a', 'b'], ['c'], ['d'], ['e'], ['f'], ['g'], ['h']])
  t.same(wordsOf('a > b 2>&1 c >>d <e f'), [['a', 'c', 'f']], 'what is redirected is no word')
  t.same(wordsOf("A=$(b 'c)' | d) e"), [['b', 'c)'], ['d'], ['e']])
  t.same(wordsOf('# all\na#b'), [['a#b']])
  t.throws(() => commandsIn("a 'b"), { message: /A quote is not closed/ })
  t.end()
})

t.test('variables, lines and comments', t => {
  t.match(commandsIn('# first\nA=1 B="2 3" c D=4   # why\n\n  e \\\n f\ng'), [
    { words: ['c', 'D=4'], variables: { A: '1', B: '2 3' }, line: 1, comment: 'why' },
    { words: ['e', 'f'], variables: {}, line: 3, comment: '' },
    { words: ['g'], line: 5 },
  ])
  t.same(commandsIn('A=1'), [{ words: [], variables: { A: '1' }, line: 0, comment: '' }])
  t.end()
})
