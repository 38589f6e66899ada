// Printed: `vitest run packages/protocol/src/tools/tool-result.test.ts -u`; do not edit.

export const RESULT_SCHEMAS = {
  "read_file": {
    "oneOf": [
      {
        "type": "object",
        "properties": {
          "type": {
            "type": "string",
            "const": "text"
          },
          "file": {
            "type": "object",
            "properties": {
              "filePath": {
                "type": "string"
              },
              "content": {
                "type": "string"
              },
              "numLines": {
                "type": "integer"
              },
              "startLine": {
                "type": "integer"
              },
              "totalLines": {
                "type": "integer"
              }
            },
            "required": [
              "filePath",
              "content",
              "numLines",
              "startLine"
            ]
          }
        },
        "required": [
          "type",
          "file"
        ]
      },
      {
        "type": "object",
        "properties": {
          "type": {
            "type": "string",
            "const": "image"
          },
          "file": {
            "type": "object",
            "properties": {
              "filePath": {
                "type": "string"
              },
              "type": {
                "type": "string"
              },
              "originalSize": {
                "type": "integer"
              }
            },
            "required": [
              "filePath",
              "type",
              "originalSize"
            ]
          }
        },
        "required": [
          "type",
          "file"
        ]
      }
    ]
  },
  "read_many_files": {
    "type": "object",
    "properties": {
      "files": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "filePath": {
              "type": "string"
            },
            "content": {
              "type": "string"
            },
            "numLines": {
              "type": "integer"
            },
            "truncated": {
              "type": "boolean"
            }
          },
          "required": [
            "filePath",
            "content",
            "numLines",
            "truncated"
          ]
        }
      },
      "notes": {
        "type": "array",
        "items": {
          "type": "string"
        }
      }
    },
    "required": [
      "files",
      "notes"
    ]
  },
  "write_file": {
    "type": "object",
    "properties": {
      "type": {
        "type": "string",
        "enum": [
          "create",
          "update"
        ]
      },
      "filePath": {
        "type": "string"
      },
      "content": {
        "type": "string"
      },
      "structuredPatch": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "oldStart": {
              "type": "integer"
            },
            "oldLines": {
              "type": "integer"
            },
            "newStart": {
              "type": "integer"
            },
            "newLines": {
              "type": "integer"
            },
            "lines": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "oldStart",
            "oldLines",
            "newStart",
            "newLines",
            "lines"
          ]
        }
      },
      "originalFile": {
        "type": [
          "string",
          "null"
        ]
      },
      "userModified": {
        "type": "boolean"
      }
    },
    "required": [
      "type",
      "filePath",
      "content",
      "structuredPatch",
      "originalFile",
      "userModified"
    ]
  },
  "edit": {
    "type": "object",
    "properties": {
      "filePath": {
        "type": "string"
      },
      "oldString": {
        "type": "string"
      },
      "newString": {
        "type": "string"
      },
      "replaceAll": {
        "type": "boolean"
      },
      "originalFile": {
        "type": [
          "string",
          "null"
        ]
      },
      "structuredPatch": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "oldStart": {
              "type": "integer"
            },
            "oldLines": {
              "type": "integer"
            },
            "newStart": {
              "type": "integer"
            },
            "newLines": {
              "type": "integer"
            },
            "lines": {
              "type": "array",
              "items": {
                "type": "string"
              }
            }
          },
          "required": [
            "oldStart",
            "oldLines",
            "newStart",
            "newLines",
            "lines"
          ]
        }
      },
      "userModified": {
        "type": "boolean"
      },
      "otherFiles": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "filePath": {
              "type": "string"
            },
            "structuredPatch": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "oldStart": {
                    "type": "integer"
                  },
                  "oldLines": {
                    "type": "integer"
                  },
                  "newStart": {
                    "type": "integer"
                  },
                  "newLines": {
                    "type": "integer"
                  },
                  "lines": {
                    "type": "array",
                    "items": {
                      "type": "string"
                    }
                  }
                },
                "required": [
                  "oldStart",
                  "oldLines",
                  "newStart",
                  "newLines",
                  "lines"
                ]
              }
            }
          },
          "required": [
            "filePath",
            "structuredPatch"
          ]
        }
      }
    },
    "required": [
      "filePath",
      "oldString",
      "newString",
      "replaceAll",
      "originalFile",
      "structuredPatch",
      "userModified"
    ]
  },
  "list_directory": {
    "type": "object",
    "properties": {
      "path": {
        "type": "string"
      },
      "entries": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "name": {
              "type": "string"
            },
            "type": {
              "type": "string",
              "enum": [
                "directory",
                "file",
                "link",
                "other"
              ]
            }
          },
          "required": [
            "name",
            "type"
          ]
        }
      },
      "truncated": {
        "type": "boolean"
      },
      "numIgnored": {
        "type": "integer"
      }
    },
    "required": [
      "path",
      "entries",
      "truncated",
      "numIgnored"
    ]
  },
  "glob": {
    "type": "object",
    "properties": {
      "durationMs": {
        "type": "number"
      },
      "numFiles": {
        "type": "integer"
      },
      "filenames": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "truncated": {
        "type": "boolean"
      },
      "totalMatches": {
        "type": "integer"
      },
      "countIsComplete": {
        "type": "boolean"
      }
    },
    "required": [
      "durationMs",
      "numFiles",
      "filenames",
      "truncated",
      "totalMatches",
      "countIsComplete"
    ]
  },
  "grep_search": {
    "type": "object",
    "properties": {
      "mode": {
        "type": "string",
        "enum": [
          "content",
          "files_with_matches"
        ]
      },
      "numFiles": {
        "type": "integer"
      },
      "filenames": {
        "type": "array",
        "items": {
          "type": "string"
        }
      },
      "content": {
        "type": "string"
      },
      "numLines": {
        "type": "integer"
      },
      "numMatches": {
        "type": "integer"
      },
      "truncated": {
        "type": "boolean"
      }
    },
    "required": [
      "mode",
      "numFiles",
      "filenames",
      "truncated"
    ]
  },
  "run_shell_command": {
    "type": "object",
    "properties": {
      "stdout": {
        "type": "string"
      },
      "stderr": {
        "type": "string"
      },
      "exitCode": {
        "type": [
          "integer",
          "null"
        ]
      },
      "signal": {
        "type": "string"
      },
      "interrupted": {
        "type": "boolean"
      },
      "timedOut": {
        "type": "boolean"
      },
      "truncated": {
        "type": "boolean"
      },
      "persistedOutputPath": {
        "type": "string"
      },
      "backgroundTaskId": {
        "type": "string"
      }
    },
    "required": [
      "stdout",
      "stderr",
      "exitCode",
      "interrupted",
      "timedOut",
      "truncated"
    ]
  },
  "task_output": {
    "type": "object",
    "properties": {
      "tasks": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "task_id": {
              "type": "string"
            },
            "command": {
              "type": "string"
            },
            "status": {
              "type": "string",
              "enum": [
                "running",
                "completed",
                "failed",
                "stopped"
              ]
            },
            "duration_ms": {
              "type": "integer"
            },
            "output_file": {
              "type": "string"
            },
            "note": {
              "type": "string"
            }
          },
          "required": [
            "task_id",
            "command",
            "status",
            "duration_ms"
          ]
        }
      },
      "output": {
        "type": "string"
      },
      "cursor": {
        "type": "integer"
      },
      "matched": {
        "type": "boolean"
      }
    },
    "required": [
      "tasks"
    ]
  },
  "task_stop": {
    "type": "object",
    "properties": {
      "message": {
        "type": "string"
      },
      "task_id": {
        "type": "string"
      },
      "task_type": {
        "type": "string"
      },
      "command": {
        "type": "string"
      }
    },
    "required": [
      "message",
      "task_id",
      "task_type",
      "command"
    ]
  },
  "web_fetch": {
    "type": "object",
    "properties": {
      "url": {
        "type": "string"
      },
      "code": {
        "type": "integer"
      },
      "codeText": {
        "type": "string"
      },
      "contentType": {
        "type": "string"
      },
      "bytes": {
        "type": "integer"
      },
      "result": {
        "type": "string"
      },
      "truncated": {
        "type": "boolean"
      },
      "fromCache": {
        "type": "boolean"
      },
      "redirectUrl": {
        "type": "string"
      },
      "durationMs": {
        "type": "number"
      }
    },
    "required": [
      "url",
      "code",
      "codeText",
      "contentType",
      "bytes",
      "result",
      "truncated",
      "fromCache",
      "durationMs"
    ]
  },
  "web_search": {
    "type": "object",
    "properties": {
      "query": {
        "type": "string"
      },
      "results": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "title": {
              "type": "string"
            },
            "url": {
              "type": "string"
            },
            "text": {
              "type": "string"
            },
            "age": {
              "type": "string"
            }
          },
          "required": [
            "title",
            "url",
            "text"
          ]
        }
      },
      "durationMs": {
        "type": "number"
      }
    },
    "required": [
      "query",
      "results",
      "durationMs"
    ]
  },
  "todo_write": {
    "type": "object",
    "properties": {
      "newTodos": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "id": {
              "type": "string"
            },
            "content": {
              "type": "string"
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
      "newTodos"
    ]
  },
  "ask_user_question": {
    "type": "object",
    "properties": {
      "questions": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "question": {
              "type": "string"
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
                    "type": "string"
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
      },
      "answers": {
        "type": "object",
        "propertyNames": {
          "type": "string"
        },
        "additionalProperties": {
          "type": "string"
        }
      },
      "response": {
        "type": "string"
      },
      "annotations": {
        "type": "object",
        "propertyNames": {
          "type": "string"
        },
        "additionalProperties": {
          "type": "object",
          "properties": {
            "preview": {
              "type": "string"
            },
            "notes": {
              "type": "string"
            }
          }
        }
      }
    },
    "required": [
      "questions",
      "answers"
    ]
  },
  "exit_plan_mode": {
    "type": "object",
    "properties": {
      "plan": {
        "type": "string"
      },
      "planWasEdited": {
        "type": "boolean"
      }
    },
    "required": [
      "plan",
      "planWasEdited"
    ]
  },
  "task": {
    "type": "object",
    "properties": {
      "status": {
        "type": "string",
        "enum": [
          "completed",
          "failed",
          "cancelled"
        ]
      },
      "agentId": {
        "type": "string"
      },
      "agentType": {
        "type": "string"
      },
      "prompt": {
        "type": "string"
      },
      "content": {
        "type": "array",
        "items": {
          "type": "object",
          "properties": {
            "type": {
              "type": "string",
              "const": "text"
            },
            "text": {
              "type": "string"
            }
          },
          "required": [
            "type",
            "text"
          ]
        }
      },
      "reason": {
        "type": "string"
      },
      "totalToolUseCount": {
        "type": "integer"
      },
      "totalDurationMs": {
        "type": "number"
      },
      "totalTokens": {
        "type": "number"
      },
      "usage": {
        "type": "object",
        "properties": {
          "input_tokens": {
            "type": "number"
          },
          "output_tokens": {
            "type": "number"
          },
          "cache_read_input_tokens": {
            "type": "number"
          },
          "cache_creation_input_tokens": {
            "type": "number"
          },
          "reasoning_output_tokens": {
            "type": "number"
          },
          "cost_usd": {
            "type": "number"
          },
          "total_tokens": {
            "type": "number"
          },
          "is_estimated": {
            "type": "boolean"
          }
        },
        "required": [
          "input_tokens",
          "output_tokens"
        ]
      }
    },
    "required": [
      "status",
      "agentId",
      "agentType",
      "prompt",
      "content",
      "totalToolUseCount",
      "totalDurationMs",
      "totalTokens",
      "usage"
    ]
  },
  "skill": {
    "type": "object",
    "properties": {
      "success": {
        "type": "boolean"
      },
      "commandName": {
        "type": "string"
      },
      "path": {
        "type": "string"
      },
      "wasLoaded": {
        "type": "boolean"
      }
    },
    "required": [
      "success",
      "commandName",
      "path",
      "wasLoaded"
    ]
  }
} as const;
