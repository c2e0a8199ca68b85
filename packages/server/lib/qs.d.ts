// The parser of query strings, in one module: its package comes with 18 others.

export { default } from 'qs'
