use serde_json::{json, Value};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A child process that reads transactions, and answers a line with a line. It ends with its input.
pub struct Check {
    _child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    count: u64,
}

impl Check {
    pub fn start(program: &str, trust: &Path) -> Check {
        let mut command = Command::new("node");
        command.args([program, "serve", "--trust"]).arg(trust).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("node");
        let (input, output) = (child.stdin.take().expect("its input"), child.stdout.take().expect("its output"));
        Check { _child: child, input, output: BufReader::new(output), count: 0 }
    }

    /// Asks, and returns the answer of what was found right; everything else, the end of the stream too, is a sentence: do not sign.
    pub fn ask(&mut self, task: &str, question: &Value, more: Value) -> Result<Value, String> {
        self.count += 1;
        let mut asked = json!({"v": 1, "id": self.count, "do": task});
        for members in [question, &more] {
            asked.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        }
        let mut line = String::new();
        let read = writeln!(self.input, "{asked}").and_then(|()| self.output.read_line(&mut line));
        let answer: Value = read.ok().and_then(|_| serde_json::from_str(&line).ok()).unwrap_or_default();
        match answer["ok"] == true && answer["v"] == 1 && answer["id"] == self.count {
            true => Ok(answer),
            false => Err(format!("Not signed: {} {} {}", answer["code"], answer["sentence"], answer["mismatches"])),
        }
    }
}
