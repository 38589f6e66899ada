// Printed: `vitest run packages/tools/src/input-schemas.test.ts -u`; do not edit.
// Printing them takes a process longer than reading them, and most processes call few tools.

export const INPUT_SCHEMAS = {
  "read_file": {
    "type": "object",
    "properties": {
      "file_path": {
        "type": "string",
        "minLength": 1
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "description": "First line, counted from 1."
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "description": "Number of lines. Default 2000."
      },
      "line_numbers": {
        "type": "boolean",
        "description": "Whether a number and a tab precede each line."
      }
    },
    "required": [
      "file_path"
    ]
  },
  "read_many_files": {
    "type": "object",
    "properties": {
      "paths": {
        "minItems": 1,
        "maxItems": 100,
        "type": "array",
        "items": {
          "type": "string",
          "minLength": 1
        },
        "description": "Files, folders, globs."
      },
      "exclude": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Globs."
      }
    },
    "required": [
      "paths"
    ]
  },
  "write_file": {
    "type": "object",
    "properties": {
      "file_path": {
        "type": "string",
        "minLength": 1
      },
      "content": {
        "type": "string"
      }
    },
    "required": [
      "file_path",
      "content"
    ]
  },
  "edit": {
    "type": "object",
    "properties": {
      "file_path": {
        "type": "string",
        "minLength": 1
      },
      "old_string": {
        "type": "string",
        "description": "Exact text with enough context to be unique. Empty: create the file."
      },
      "new_string": {
        "type": "string"
      },
      "replace_all": {
        "type": "boolean"
      },
      "expected_replacements": {
        "type": "integer",
        "minimum": 1
      },
      "edits": {
        "minItems": 1,
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "old_string": {
              "type": "string"
            },
            "new_string": {
              "type": "string"
            },
            "replace_all": {
              "type": "boolean"
            },
            "expected_replacements": {
              "type": "integer",
              "minimum": 1
            }
          },
          "required": [
            "old_string",
            "new_string"
          ]
        },
        "description": "Instead of the above: several changes, made in order, all or none."
      }
    },
    "required": [
      "file_path"
    ]
  },
  "list_directory": {
    "type": "object",
    "properties": {
      "path": {
        "type": "string",
        "minLength": 1
      },
      "ignore": {
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Globs of names to omit."
      }
    },
    "required": [
      "path"
    ]
  },
  "glob": {
    "type": "object",
    "properties": {
      "pattern": {
        "type": "string",
        "minLength": 1,
        "description": "e.g. src/**/*.{ts,tsx}"
      },
      "path": {
        "type": "string",
        "minLength": 1,
        "description": "Folder. Default: the workspace."
      }
    },
    "required": [
      "pattern"
    ]
  },
  "grep_search": {
    "type": "object",
    "properties": {
      "pattern": {
        "type": "string",
        "minLength": 1,
        "description": "Regular expression, matched per line."
      },
      "path": {
        "type": "string",
        "minLength": 1,
        "description": "File or folder. Default: the workspace."
      },
      "glob": {
        "type": "string",
        "minLength": 1,
        "description": "Only these files, e.g. *.{ts,tsx}"
      },
      "context": {
        "type": "integer",
        "minimum": 0,
        "maximum": 20,
        "description": "Lines to show before and after each match."
      },
      "case_sensitive": {
        "type": "boolean"
      },
      "files_only": {
        "type": "boolean",
        "description": "Only the names of files with matches."
      },
      "limit": {
        "type": "integer",
        "minimum": 1,
        "description": "Default 200."
      }
    },
    "required": [
      "pattern"
    ]
  },
  "run_shell_command": {
    "type": "object",
    "properties": {
      "command": {
        "type": "string",
        "minLength": 1
      },
      "description": {
        "type": "string",
        "description": "What it does, shown to the user."
      },
      "timeout": {
        "type": "integer",
        "minimum": 1,
        "maximum": 600000,
        "description": "Milliseconds; below 1000, seconds. Default 120000; in the background none."
      },
      "directory": {
        "type": "string",
        "minLength": 1,
        "description": "Default: the workspace."
      },
      "is_background": {
        "type": "boolean",
        "description": "Return at once; it runs until it ends, task_stop, or the end of the session."
      },
      "background_on_timeout": {
        "type": "boolean",
        "description": "At the timeout, move it to the background instead of stopping it."
      }
    },
    "required": [
      "command"
    ]
  },
  "task_output": {
    "type": "object",
    "properties": {
      "task_id": {
        "type": "string",
        "minLength": 1,
        "description": "Default: list all."
      },
      "timeout": {
        "type": "integer",
        "minimum": 0,
        "maximum": 600000,
        "description": "Milliseconds to wait for the end; below 1000, seconds. Default 0, with a pattern 30000."
      },
      "pattern": {
        "type": "string",
        "minLength": 1,
        "description": "Regular expression: wait only until a line matches."
      },
      "cursor": {
        "type": "integer",
        "minimum": 0,
        "description": "Where to read from. Default: after the last read."
      }
    }
  },
  "task_stop": {
    "type": "object",
    "properties": {
      "task_id": {
        "type": "string",
        "minLength": 1
      }
    },
    "required": [
      "task_id"
    ]
  },
  "web_fetch": {
    "type": "object",
    "properties": {
      "url": {
        "type": "string",
        "minLength": 1
      },
      "offset": {
        "type": "integer",
        "minimum": 0,
        "description": "Character to continue at."
      }
    },
    "required": [
      "url"
    ]
  },
  "web_search": {
    "type": "object",
    "properties": {
      "query": {
        "type": "string",
        "minLength": 1,
        "maxLength": 400
      },
      "allowed_domains": {
        "maxItems": 20,
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "Only results of these sites."
      },
      "blocked_domains": {
        "maxItems": 20,
        "type": "array",
        "items": {
          "type": "string"
        },
        "description": "No results of these sites."
      }
    },
    "required": [
      "query"
    ]
  },
  "todo_write": {
    "type": "object",
    "properties": {
      "todos": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "id": {
              "type": "string"
            },
            "content": {
              "type": "string",
              "minLength": 1
            },
            "status": {
              "type": "string",
              "enum": [
                "pending",
                "in_progress",
                "completed"
              ]
            }
          },
          "required": [
            "id",
            "content",
            "status"
          ]
        }
      }
    },
    "required": [
      "todos"
    ]
  },
  "ask_user_question": {
    "type": "object",
    "properties": {
      "questions": {
        "minItems": 1,
        "maxItems": 4,
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "question": {
              "type": "string",
              "minLength": 1
            },
            "header": {
              "type": "string"
            },
            "options": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "label": {
                    "type": "string",
                    "minLength": 1
                  },
                  "description": {
                    "type": "string"
                  },
                  "preview": {
                    "type": "string"
                  }
                },
                "required": [
                  "label"
                ]
              }
            },
            "multiSelect": {
              "type": "boolean"
            }
          },
          "required": [
            "question",
            "options"
          ]
        }
      }
    },
    "required": [
      "questions"
    ]
  },
  "exit_plan_mode": {
    "type": "object",
    "properties": {
      "plan": {
        "type": "string",
        "minLength": 1,
        "description": "Markdown, short."
      }
    },
    "required": [
      "plan"
    ]
  },
  "skill": {
    "type": "object",
    "properties": {
      "skill": {
        "type": "string"
      },
      "args": {
        "type": "string"
      }
    },
    "required": [
      "skill"
    ]
  }
} as const;

/** The tools whose schema is printed here. */
export type PrintedToolName = keyof typeof INPUT_SCHEMAS;
