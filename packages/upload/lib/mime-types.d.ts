// The types of files by their endings, in one module: its package comes with another one.

export { contentType, extension, lookup } from 'mime-types'
